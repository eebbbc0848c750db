import { expect, it } from 'vitest';
import { installOnWindows } from './install-on-windows.ts';

it.each([
  [true, ['ended', 'installer', 'left']],
  [false, ['ended', 'installer', 'starts again', 'left']],
])('all ends before the installer starts; started: %s', async (isStarted, expected) => {
  const steps: string[] = [];
  await installOnWindows({
    install() {
      steps.push('installer');
      return isStarted;
    },
    app: { relaunch: () => void steps.push('starts again'), leave: () => void steps.push('left') },
    async handOver(last) {
      steps.push('ended');
      last();
    },
  });
  expect(steps).toEqual(expected);
});
