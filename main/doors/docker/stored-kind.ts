/** A stored entry, or one of another helper’s store, is a target of this kind, by its server’s key. */
export const storedKind = 'registry-login';
