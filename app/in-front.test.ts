import { expect, it } from 'vitest';
import { createStandIn } from '../test/support/electron/index.ts';
import { withBoxesInFront } from './in-front.ts';

it.each([
  ['darwin', 2],
  ['linux', 0],
  ['win32', 0],
] as const)('a message box takes the keyboard on %s: %i', async (platform, steals) => {
  const standIn = createStandIn();
  const electron = withBoxesInFront(standIn.electron, platform);
  standIn.answer = () => 7;
  expect(await electron.dialog.showMessageBox({ message: 'one' })).toMatchObject({ response: 7 });
  electron.dialog.showErrorBox('two', 'more');
  expect(standIn.app.steals).toBe(steals);
  expect([standIn.boxes, standIn.errors]).toEqual([[{ message: 'one' }], [{ title: 'two', text: 'more' }]]);
  expect(electron.app).toBe(standIn.electron.app);
});
