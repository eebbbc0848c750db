/**
 * The system's answer. `no`: another user, or the user cancelled. `cannot`: the system has the means, and couldn't
 * ask now. `absent`: it has none.
 */
export type UserVerdict = 'yes' | 'no' | 'cannot' | 'absent';

/** Checks by the system’s own means (Touch ID, Windows Hello) whether this account’s user is there. */
export interface UserCheck {
  /** `reason` is shown there, after the app's name: a plain clause. Never rejects. */
  verify(reason: string): Promise<UserVerdict>;
}

/** A check for systems without any means. */
export const noUserCheck: UserCheck = { verify: async () => 'absent' };
