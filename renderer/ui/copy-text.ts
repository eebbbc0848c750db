/**
 * Copies a text to the clipboard, soon after the user's click. Rejects where it can't. Not by `navigator.clipboard`
 * first: that is a permission, and the desktop app's pages have none.
 */
export async function copyText(text: string): Promise<void> {
  if (!copyByEvent(text)) {
    // Browsers that copy nothing where nothing is selected.
    await navigator.clipboard.writeText(text);
  }
}

/** As Ctrl-C does, with this text for whatever is selected: neither focus nor selection move. */
function copyByEvent(text: string): boolean {
  let copied = false;
  const put = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData('text/plain', text);
    copied = event.clipboardData !== null;
  };
  document.addEventListener('copy', put, { capture: true });
  try {
    return document.execCommand('copy') && copied;
  } finally {
    document.removeEventListener('copy', put, { capture: true });
  }
}
