/** A view's address as renderer/shell/route.ts makes it; a name in it is percent-encoded. */
const routeForm = /^#\/[a-z]+(\/[\w.~!*'()%+:@-]*)*$/;
const routeLimit = 1_024;

/** True for the fragment of a view, and for nothing else that an address could hold. */
export function isRoute(text: string): boolean {
  return text.length <= routeLimit && routeForm.test(text);
}
