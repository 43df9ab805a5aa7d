// @ts-check
// The text of a file as programs write it: UTF-8, or what a spreadsheet of old made of it.

/**
 * Return the text of *file*. What is not UTF-8 is read as Windows-1252, or as UTF-16 where it begins so.
 *
 * @param {Blob} file
 */
export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
