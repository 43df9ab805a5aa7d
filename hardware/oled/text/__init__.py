"""Text as pixels: glyphs, shaping, writing from right to left."""
