"""Adapters to the world of pins and screens, behind the protocols of `companion.core.ports`."""
