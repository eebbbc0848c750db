/**
 * What the system says of who sits here. `no`: not this person, or they didn't want to. `cannot`: it has the means, and
 * couldn't ask now. `absent`: it has none.
 */
export type UserVerdict = 'yes' | 'no' | 'cannot' | 'absent';

/** Asks by the system's own means (Touch ID, Windows Hello) whether the person of this account is there. */
export interface UserCheck {
  /** `reason` is shown there, after the app's name: a plain clause. Never rejects. */
  verify(reason: string): Promise<UserVerdict>;
}

/** Where there is nothing to ask with. */
export const noUserCheck: UserCheck = { verify: async () => 'absent' };
