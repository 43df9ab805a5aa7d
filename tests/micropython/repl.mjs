// A real MicroPython's REPL, raw mode too: bytes from standard input, what it says on standard output.
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

const python = await loadMicroPython({
  linebuffer: false,
  stdout: (data) => process.stdout.write(Buffer.from(data)),
});
python.replInit();
for await (const chunk of process.stdin) {
  for (const byte of chunk) {
    python.replProcessChar(byte);
  }
}
