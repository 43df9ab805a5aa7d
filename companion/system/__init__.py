"""The machine a table runs on: installed, examined, watched over."""
