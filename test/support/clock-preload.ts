/**
 * `node --import clock-preload.ts …` with LANYARD_TEST_CLOCK, a file: the wall clock is off by as many milliseconds as
 * stand there (+: ahead), from the moment that they do. The clock that runs since the machine's start stays right.
 */
import { readFileSync } from 'node:fs';

const file = process.env['LANYARD_TEST_CLOCK'] ?? '';
const RealDate = Date;
const now = () => RealDate.now() + Number(readFileSync(file, 'utf8'));

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
