import { onTestFinished } from 'vitest';

/** For one test, code that asks Node takes this machine for one with that system. Paths stay those of this one. */
export function asOn(platform: NodeJS.Platform): void {
  const before = process.platform;
  const set = (value: NodeJS.Platform) => Object.defineProperty(process, 'platform', { value });
  set(platform);
  onTestFinished(() => void set(before));
}
