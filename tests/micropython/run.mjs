// Run a Python program from standard input in MicroPython; firmware modules are laid beside it.
import { readFileSync } from "node:fs";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

const python = await loadMicroPython({ heapsize: 4 * 1024 * 1024, linebuffer: true });
for (const name of ["frames", "program", "ring", "relation", "plain", "box"]) {
  python.FS.writeFile(`/${name}.py`, readFileSync(`${process.argv[2]}/${name}.py`, "utf8"));
}
python.runPython("import sys\nsys.path.append('/')");
python.runPython(readFileSync(0, "utf8"));
