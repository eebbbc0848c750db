/** A view's address, as renderer/shell/route.ts makes it. A name in it is percent-encoded. */
const routeForm = /^#\/[a-z]+(\/[\w.~!*'()%+:@-]*)*$/;
const routeLimit = 1_024;

/** Whether the text is the fragment of a view, and nothing more. */
export function isRoute(text: string): boolean {
  return text.length <= routeLimit && routeForm.test(text);
}
