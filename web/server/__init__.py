"""The server around the pages: sockets, streams, addresses."""
