// A Raspberry Pi Pico that is flashed with a UF2: rp2040js, its PIO in lock-step with the processor, buttons on its pins, and a
// USB host that reads its serial line. Time is the chip's own. Told what to do over standard input, a JSON object a line:
// {run: ns, edges: [[ns, pin, level]…], send: base64}; answers {now: ns, ready, heard: base64}. node pico.mjs FILE.uf2
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { GPIOPin } from "./node_modules/rp2040js/dist/esm/gpio-pin.js";
import { StateMachine } from "./node_modules/rp2040js/dist/esm/peripherals/pio.js";
import { RP2040 } from "./node_modules/rp2040js/dist/esm/rp2040.js";
import { FIFO } from "./node_modules/rp2040js/dist/esm/utils/fifo.js";

const FLASH = 0x10000000;
const FAMILY = 0xe48bff56;
const SHIFTCTRL = 0x08;
const INSTR = 0x10;

// ---- What rp2040js lacks

const writeMachine = StateMachine.prototype.writeUint32;
StateMachine.prototype.writeUint32 = function (offset, value) {
  if (offset === SHIFTCTRL && (value ^ this.shiftCtrl) >>> 30) {
    const [joinsOut, joinsIn] = [value & 0x40000000, value & 0x80000000];
    this.rxFIFO = new FIFO(joinsIn ? 8 : joinsOut ? 1 : 4);
    this.txFIFO = new FIFO(joinsOut ? 8 : joinsIn ? 1 : 4);
    this.updateDMARx();
    this.updateDMATx();
  }
  if (offset === INSTR && this.enabled) {
    this.stolen = (this.stolen ?? 0) + 1; // it takes the place of one of the program's
  }
  return writeMachine.call(this, offset, value);
};

const setInput = GPIOPin.prototype.setInputValue;
GPIOPin.prototype.setInputValue = function (value) {
  setInput.call(this, value);
  if (this.rp2040.gpio?.[this.index] === this) {
    const others = this.rp2040.levels & ~(1 << this.index);
    this.rp2040.levels = (others | (this.inputValue ? 1 << this.index : 0)) >>> 0;
  }
};

// ---- The boot ROM: of its own, only what MicroPython calls. A call that is not known ends the emulation.

class BootRom {
  constructor(mcu) {
    this.mcu = mcu;
    this.calls = ["MS", "S4", "MC", "C4", "P3", "L3", "T3", "R3", "IF", "EX", "RE", "RP", "FC", "CX"];
    const words = new Uint32Array(4096);
    words[0] = 0x2004_2000; // the first stack
    words[4] = 0x02_01_75_4d; // "Mu", a version
    words[5] = 0x0200_0100; // tables of functions and of data: the call below is told which
    words[6] = 0x0000_0021; // the call that finds others
    mcu.loadBootrom(words);
  }

  serve(at) {
    const { core, flash } = this.mcu;
    const [first, second, third] = [0, 1, 2].map((number) => core.registers[number] >>> 0);
    const called = at === 0x20 ? "find" : this.calls[(at - 0x40) / 4];
    let takes = 20;
    switch (called) {
      case "find":
        core.registers[0] = this.find(first, String.fromCharCode(second & 255, second >> 8));
        break;
      case "MS":
      case "S4":
        for (let n = 0; n < third; n++) this.mcu.writeUint8(first + n, second & 255);
        takes += third >> 1;
        break;
      case "MC":
      case "C4":
        for (let n = 0; n < third; n++) this.mcu.writeUint8(first + n, this.mcu.readUint8(second + n));
        takes += third >> 1;
        break;
      case "P3":
        core.registers[0] = [...first.toString(2)].filter((bit) => bit === "1").length;
        break;
      case "L3":
        core.registers[0] = Math.clz32(first);
        break;
      case "T3":
        core.registers[0] = first ? 31 - Math.clz32(first & -first) : 32;
        break;
      case "R3":
        core.registers[0] = Number.parseInt([...first.toString(2).padStart(32, "0")].reverse().join(""), 2);
        break;
      case "RE":
        flash.fill(0xff, first, first + second);
        break;
      case "RP":
        for (let n = 0; n < third; n++) flash[first + n] &= this.mcu.readUint8(second + n);
        break;
      case "IF":
      case "EX":
      case "FC":
      case "CX":
        break;
      default:
        throw new Error(`The boot ROM has no call at 0x${at.toString(16)}.`);
    }
    core.PC = core.LR & ~1;
    return takes;
  }

  find(table, name) {
    const number = this.calls.indexOf(name);
    if (table === 0x200) return 0x300; // of data: floats, which the firmware does without
    return number < 0 ? 0 : (0x40 + 4 * number) | 1;
  }
}

function flashed(path) {
  const file = readFileSync(path);
  const flash = new Uint8Array(2 << 20).fill(0xff);
  for (let at = 0; at < file.length; at += 512) {
    if (file.readUInt32LE(at + 28) !== FAMILY) continue;
    const [place, size, number] = [12, 16, 20].map((where) => file.readUInt32LE(at + where));
    const to = place - FLASH;
    if (number % 16 === 0) flash.fill(0xff, to, to + 4096); // as the ROM does: a sector by the block's number
    for (let n = 0; n < size; n++) flash[to + n] &= file[at + 32 + n];
  }
  return flash;
}

// ---- A USB host at full speed's pace, which takes what there is

const [LATEST, AVAILABLE, FULL, LENGTH] = [1e6, 0x400, 0x8000, 0x3ff];

class Host {
  constructor(mcu) {
    this.mcu = mcu;
    this.usb = mcu.usbCtrl;
    this.clock = mcu.clock;
    this.stage = "off";
    this.heard = [];
    this.toSend = [];
    this.waiting = []; // packets of the device that nobody has taken yet
    this.wanted = null; // how much the device can take
    this.freeAt = 0;
    this.busy = false;
    this.usb.onUSBEnabled = () => this.reset();
    this.usb.onResetReceived = () => {
      if (this.stage === "reset") this.later(2e6, () => this.ask("address", [0, 5, 1, 0, 0, 0, 0, 0]));
    };
    this.usb.onEndpointRead = (endpoint, size) => this.takes(endpoint, size);
    const updated = this.usb.DPRAMUpdated.bind(this.usb);
    this.usb.DPRAMUpdated = (offset, value) => {
      if (offset < 0x80 || offset >= 0x100 || offset & 4) return updated(offset, value);
      const endpoint = (offset - 0x80) >> 3;
      const doubled = endpoint && this.usb.readEndpointControlReg(endpoint, false) & (1 << 30);
      if (value & AVAILABLE) this.waiting.push({ offset, endpoint, half: 0 });
      if (doubled && value & (AVAILABLE << 16)) this.waiting.push({ offset, endpoint, half: 1 });
      this.pace();
    };
    const read = this.usb.readUint32.bind(this.usb);
    this.usb.readUint32 = (offset) => {
      if (offset === 0x48) this.interrupt(0);
      return read(offset);
    };
    this.frame();
  }

  interrupt(frame) {
    this.usb.intRaw = (this.usb.intRaw & ~(1 << 17)) | (frame << 17);
    this.usb.checkInterrupts();
  }

  later(ns, then) {
    this.clock.createAlarm(then).schedule(ns);
  }

  frame() {
    const alarm = this.clock.createAlarm(() => {
      alarm.schedule(LATEST);
      if (this.stage === "off") return;
      this.usb.sofFrameNumber = (this.usb.sofFrameNumber + 1) & 0x7ff;
      this.interrupt(1);
    });
    alarm.schedule(LATEST);
  }

  reset() {
    this.stage = "reset";
    this.described = [];
    this.usb.resetDevice();
  }

  ask(stage, setup) {
    this.stage = stage;
    this.usb.sendSetupPacket(Uint8Array.from(setup));
  }

  takes(endpoint, size) {
    if (endpoint === 0) {
      const coding = this.stage === "coding" && size;
      const bytes = coding ? Uint8Array.from([0, 0xc2, 1, 0, 0, 0, 8]) : new Uint8Array(0);
      this.usb.endpointReadDone(0, bytes, 20);
      const then = coding ? null : this.then;
      if (then) {
        this.then = null;
        this.later(200e3, then);
      }
    } else if (endpoint === this.outEnd) {
      this.wanted = size;
      this.push();
    }
  }

  answered(bytes) {
    if (this.stage === "address" && !bytes.length) {
      this.later(2e6, () => this.ask("size", [0x80, 6, 0, 2, 0, 0, 9, 0]));
    } else if (this.stage === "size" && bytes.length === 9) {
      this.size = (bytes[3] << 8) | bytes[2];
      this.then = () => this.ask("described", [0x80, 6, 0, 2, 0, 0, this.size & 255, this.size >> 8]);
    } else if (this.stage === "described" && bytes.length) {
      this.described.push(...bytes);
      if (this.described.length < this.size) return;
      this.findEnds();
      this.then = () => this.ask("configured", [0, 9, 1, 0, 0, 0, 0, 0]);
    } else if (this.stage === "configured" && !bytes.length) {
      this.later(1e6, () => this.ask("coding", [0x21, 0x20, 0, 0, 0, 0, 7, 0]));
    } else if (this.stage === "coding" && !bytes.length) {
      this.later(1e6, () => {
        this.ask("ready", [0x21, 0x22, 3, 0, 0, 0, 0, 0]);
        this.pace();
        this.push();
      });
    }
  }

  findEnds() {
    let data = false;
    for (let at = 0; at < this.described.length; at += this.described[at]) {
      const [, kind, end, how] = this.described.slice(at, at + 4);
      if (kind === 4) data = this.described[at + 5] === 10;
      if (kind !== 5 || !data || (how & 3) !== 2) continue;
      if (end & 0x80) this.inEnd = end & 15;
      else this.outEnd = end & 15;
    }
  }

  send(bytes) {
    this.toSend.push(...bytes);
    this.push();
  }

  push() {
    if (this.wanted === null || !this.toSend.length || this.stage !== "ready") return;
    const size = Math.min(this.wanted, 64, this.toSend.length);
    this.wanted = null;
    this.usb.endpointReadDone(this.outEnd, Uint8Array.from(this.toSend.splice(0, size)), 20 + size);
  }

  pace() {
    if (this.busy || !this.waiting.length) return;
    this.busy = true;
    this.later(Math.max(5000, this.freeAt - this.clock.nanos), () => this.take());
  }

  take() {
    this.busy = false;
    const ready = this.stage === "ready";
    const at = this.waiting.findIndex(({ endpoint }) => endpoint === 0 || (ready && endpoint === this.inEnd));
    if (at < 0) return;
    const { offset, endpoint, half } = this.waiting.splice(at, 1)[0];
    const shift = half * 16;
    const control = this.mcu.usbDPRAMView.getUint32(offset, true);
    const length = (control >>> shift) & LENGTH;
    const begin = this.usb.getEndpointBufferOffset(endpoint, false) + 64 * half;
    const bytes = this.mcu.usbDPRAM.slice(begin, begin + length);
    this.mcu.usbDPRAMView.setUint32(offset, control & ~((AVAILABLE | FULL) << shift), true);
    this.freeAt = this.clock.nanos + 12_000 + Math.ceil((length * 8000) / 12);
    if (endpoint === 0) this.later(1000, () => this.answered(bytes));
    else this.heard.push(...bytes);
    this.usb.indicateBufferReady(endpoint, false);
    this.pace();
  }
}

// ---- The board

class Pico {
  constructor(flash) {
    this.mcu = new RP2040();
    this.mcu.levels = 0;
    Object.defineProperty(this.mcu, "gpioValues", { get() { return this.levels; } });
    this.mcu.logger = { debug() {}, info() {}, warn() {}, error() {} };
    this.rom = new BootRom(this.mcu); // which empties the flash
    this.mcu.flash.set(flash);
    this.pressed = new Set();
    this.edges = [];
    for (const pio of this.mcu.pio) {
      pio.run = () => {};
      for (const machine of pio.machines) machine.clkDivRestart = () => {};
    }
    for (const pin of this.mcu.gpio) {
      pin.addListener(() => this.settle(pin));
      this.settle(pin);
    }
    this.host = new Host(this.mcu);
    this.mcu.core.PC = FLASH;
    this.mcu.peripherals[0x40060].readUint32 = () => 0xffffffff; // the oscillators are steady
    const { usbCtrl } = this.mcu;
    const write = usbCtrl.writeUint32.bind(usbCtrl);
    usbCtrl.writeUint32 = (offset, value) => {
      if (offset === 0x50) usbCtrl.sieStatus &= ~(usbCtrl.rawWriteValue & 16); // SUSPENDED is cleared by a one
      write(offset, value);
    };
  }

  settle(pin) {
    const pulled = pin.pullupEnabled && !this.pressed.has(pin.index);
    const level = pin.outputEnable ? pin.outputValue : pulled;
    if (pin.rawInputValue !== level) pin.setInputValue(level);
  }

  move(until) {
    while (this.edges.length && this.edges[0][0] <= until) {
      const [, pin, level] = this.edges.shift();
      if (level) this.pressed.delete(pin);
      else this.pressed.add(pin);
      this.settle(this.mcu.gpio[pin]);
    }
  }

  stepPio(until) {
    for (const pio of this.mcu.pio) {
      for (const machine of pio.machines) {
        if (pio.stopped || !machine.enabled) {
          machine.next = undefined;
          continue;
        }
        machine.next ??= this.mcu.clock.nanos;
        const divider = (machine.clockDivInt || 65536) + machine.clockDivFrac / 256;
        const period = (divider * 1e9) / this.mcu.clkSys;
        for (; machine.next < until; machine.next += period) {
          this.move(machine.next);
          if (machine.stolen) machine.stolen--;
          else machine.step();
        }
      }
      pio.checkChangedPins?.();
    }
  }

  run(until) {
    const { core, clock } = this.mcu;
    while (clock.nanos < until) {
      const period = 1e9 / this.mcu.clkSys;
      let cycles;
      if (core.waiting) cycles = Math.max(1, Math.min(8, Math.ceil(clock.nanosToNextAlarm / period) || 1));
      else if (core.PC < 0x4000) cycles = this.rom.serve(core.PC);
      else cycles = core.executeInstruction();
      const end = clock.nanos + cycles * period;
      this.stepPio(end);
      this.move(end);
      clock.tick(end - clock.nanos);
    }
  }
}

const pico = new Pico(flashed(process.argv[2]));
for await (const line of createInterface({ input: process.stdin })) {
  const { run, edges = [], send = "" } = JSON.parse(line);
  pico.edges = [...pico.edges, ...edges].sort((one, other) => one[0] - other[0]);
  pico.host.send(Buffer.from(send, "base64"));
  pico.run(pico.mcu.clock.nanos + run);
  const heard = Buffer.from(pico.host.heard.splice(0)).toString("base64");
  const ready = pico.host.stage === "ready";
  process.stdout.write(`${JSON.stringify({ now: Math.round(pico.mcu.clock.nanos), ready, heard })}\n`);
}
