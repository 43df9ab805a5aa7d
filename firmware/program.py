"""The sampler's PIO program: all pins at once, two words a change, and a tick that stays an exact time base.

`SOURCE` is for readers and tests; `WORDS` is what the chip runs. Tests compare the two, and run
the words cycle by cycle.

OSR holds the inverted counter, Y the pins as last told. A quiet loop is 5 cycles and one tick. Telling a
change takes 15 cycles and three ticks. `mov y, !pins` makes the pins at the start the first change.
"""

SOURCE = """
.program sampler
    mov osr, !null
    mov y, !pins
.wrap_target
loop:
    mov x, pins
    jmp x!=y changed
    mov x, osr
    jmp x-- dec
dec:
    mov osr, x
.wrap
changed:
    mov isr, x
    push noblock
    mov isr, !osr
    push noblock
    mov y, x
    mov x, osr
    jmp x-- d1
d1:
    jmp x-- d2
d2:
    jmp x-- d3
d3:
    nop
    nop
    mov osr, x
    jmp loop
"""

WORDS = (
    0xA0EB, 0xA048, 0xA020, 0x00A7, 0xA027,
    0x0046, 0xA0E1, 0xA0C1, 0x8000, 0xA0CF,
    0x8000, 0xA041, 0xA027, 0x004E, 0x004F,
    0x0050, 0xA042, 0xA042, 0xA0E1, 0x0002,
)  # fmt: skip
WRAP_TARGET, WRAP = 2, 6
CYCLES_PER_TICK = 5
TICKS_BLIND = 3  # after a change nothing is read for so long
MARK = 0xA04A  # mov y, !y: executed from outside, it makes the program tell the pins as they are


def build(rp2):
    """Return the program as `rp2.StateMachine` takes it."""

    @rp2.asm_pio(fifo_join=rp2.PIO.JOIN_RX)
    def sampler(words=WORDS, target=WRAP_TARGET, last=WRAP):
        for at in range(len(words)):
            if at == target:
                wrap_target()  # noqa: F821
            word(words[at])  # noqa: F821
            if at == last:
                wrap()  # noqa: F821

    return sampler
