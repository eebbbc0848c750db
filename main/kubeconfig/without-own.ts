/**
 * A managed kubeconfig's text without the entries of which nothing is kept: Lanyard's own clusters and users, and its
 * contexts without a namespace. To parse thousands of them takes a second, to see them in the text does not. Knows the
 * layouts that Lanyard and kubectl write; in any other, entries stay.
 */
export function withoutOwnEntries(text: string): string {
  return [...layouts(text)].reduce((left, own) => left.replace(own, ''), text);
}

/**
 * Each begins at an entry of a top-level list and takes the lines that are indented under it. Only what is in a block
 * of text could be mistaken for one, and such a block is indented further.
 */
function layouts(text: string): RegExp[] {
  return text.startsWith('#')
    ? [
        /^ {2}- name: "[^\n]*\n {4}cluster:\n(?: {6}[a-z-]+: [^\n]*\n)* {6}extensions:\n {8}- name: "client\.authentication\.k8s\.io\/exec"\n {10}extension:\n {12}lanyard:\n {14}cluster: "[^\n]*\n(?! {4})/gm,
        /^ {2}- name: "lanyard:[^\n]*\n {4}user:\n {6}exec:\n(?: {8}[^\n]*\n)+(?! {4})/gm,
        /^ {2}- name: "[^\n]*\n {4}context:\n {6}cluster: "[^\n]*\n {6}user: "lanyard:[^\n]*\n(?! {4})/gm,
      ]
    : [
        /^- cluster:\n(?: {4}[a-z-]+: [^\n]*\n)* {4}extensions:\n {4}- extension:\n {8}lanyard:\n {10}cluster: [^\n]*\n {6}name: client\.authentication\.k8s\.io\/exec\n(?: {4}[a-z-]+: [^\n]*\n)* {2}name: [^\n]*\n(?! {2})/gm,
        /^- name: lanyard:[^\n]*\n {2}user:\n(?: {4}[^\n]*\n)+(?! {2})/gm,
        /^- context:\n {4}cluster: [^\n]*\n {4}user: lanyard:[^\n]*\n {2}name: [^\n]*\n(?! {2})/gm,
      ];
}
