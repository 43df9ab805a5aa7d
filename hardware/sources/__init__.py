"""Where edges come from: pins, the kernel, a tape, simulated noses."""
