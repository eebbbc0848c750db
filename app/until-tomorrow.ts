/** Milliseconds from `now` to 6 o'clock the next morning, local time: before work begins. */
export function untilTomorrow(now: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, 6).getTime() - now;
}
