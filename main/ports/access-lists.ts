/** Windows’ access lists, which count where other systems have modes. */
export interface AccessLists {
  /**
   * Gives the folder or file a list of its own: this user, the system and administrators, as in the user’s profile.
   * What is in a folder inherits it. Throws where the system refuses.
   */
  close(path: string): void;
  /** Whether another user can read or change it, or owns it. Throws where the system doesn’t tell. */
  isOpen(path: string): boolean;
}
