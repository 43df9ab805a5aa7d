"""The buzzer box: a Pico that stamps its inputs to 200 ns and tells them over USB (firmware/)."""
