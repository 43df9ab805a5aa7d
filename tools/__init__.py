"""What makes files afresh, or says whether they are fresh. `make` calls these; no package has them.

- `api_types`: the API's types for scripts.
- `build_files`: drawings and lists in `hardware/build`.
- `circuits`: printed circuits as KiCad understands them (`circuit.sh`), held to the profiles.
- `card`: a blank card's first start.
- `catalogues`: messages for the translations.
- `docs`: the site of `docs`.
- `deb`: the Debian packages, of the locks' wheels; `debian/` has what dpkg runs.
- `deb_format`: a folder as a Debian package's bytes.
- `release`: wheel, source, packages, notes and checksums of a version.
- `fonts`: the small fonts of `hardware/fonts`, of the large ones; run once.
- `enclosure`: the printed parts and their pictures.
- `mesh`: a printed part as triangles.
- `locks`: the locked versions.
"""
