/** Lets the user save a text as a file. The browser asks where, or saves it to the downloads. */
export function saveText(fileName: string, text: string, type = 'text/plain'): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
