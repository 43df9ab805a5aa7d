"""What everything is made of: edges and verdicts, sentences, errors, units, ports to the world. Pure."""
