/** `1 login`, `3 logins`. */
export function loginsText(count: number): string {
  return count === 1 ? '1 login' : `${count} logins`;
}
