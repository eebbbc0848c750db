/** An edit of Lanyard’s in a file of the user’s that another program has undone. For display: names, no secret. */
export interface UndoneEdit {
  what: 'docker' | 'kubeconfig';
  /** Absolute. */
  file: string;
  /** A sentence without its end: what no longer holds, and what only Lanyard has. */
  text: string;
  /** Makes the edit again. */
  command: string;
}
