/** The page's fragment: a view's path, and behind a `?` what is the view's own (`#/clusters?show=need`). */
export function subscribeToHash(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  window.addEventListener('popstate', listener);
  return () => {
    window.removeEventListener('hashchange', listener);
    window.removeEventListener('popstate', listener);
  };
}

/** `/clusters` of `#/clusters?show=need`. */
export function hashPath(): string {
  const [path = ''] = window.location.hash.replace(/^#?\/?/, '/').split('?');
  return path;
}

/** `show=need` of `#/clusters?show=need`. */
export function hashQuery(): string {
  const hash = window.location.hash;
  const at = hash.indexOf('?');
  return at === -1 ? '' : hash.slice(at + 1);
}
