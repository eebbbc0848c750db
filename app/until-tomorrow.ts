/** Milliseconds from then to the next day's morning, where the person is: 6 o'clock, before work begins. */
export function untilTomorrow(now: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, 6).getTime() - now;
}
