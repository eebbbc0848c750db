/** Somebody who can log in. */
export interface Identity {
  name: string;
  email: string;
  groups: readonly string[];
}
