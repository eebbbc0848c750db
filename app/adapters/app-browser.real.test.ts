import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { createAppBrowser } from './app-browser.ts';

function make(
  platform: NodeJS.Platform,
  openExternal: (url: string) => Promise<void> = async () => undefined,
) {
  const asked: string[] = [];
  const clock = new ManualClock();
  const browser = createAppBrowser({
    shell: {
      openExternal(url) {
        asked.push(url);
        return openExternal(url);
      },
    },
    platform,
    env: {},
    clock,
  });
  return { browser, asked, clock };
}

describe('the app’s way to the browser', () => {
  it.each([
    ['https://id.example.com/auth?x=1#y', 'https://id.example.com/auth?x=1#y'],
    ['https://id.example.com/a b"', 'https://id.example.com/a%20b%22'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
  ])('the system opens %s, in its normalized form', async (url, written) => {
    const { browser, asked } = make('win32');
    expect(await browser.open(url)).toBe(true);
    expect(asked).toEqual([written]);
  });

  it.each([
    'http://example.com/',
    'file:///etc/passwd',
    'ms-msdt:/id',
    'https://a:b@example.com/',
    'calc.exe',
    '',
  ])('%j never gets to the system', async (url) => {
    const { browser, asked } = make('darwin');
    expect(await browser.open(url)).toBe(false);
    expect(asked).toEqual([]);
  });

  it.each([
    ['/home/a/redirect page.html', true],
    ['/home/a/redirect.exe', false],
    ['redirect.html', false],
  ])('of files only pages by their whole path: %s', async (path, isOpened) => {
    const { browser, asked } = make('darwin');
    expect(await browser.openFile(path)).toBe(isOpened);
    expect(asked).toEqual(isOpened ? ['file:///home/a/redirect%20page.html'] : []);
  });

  it('says so where the system refuses to open it', async () => {
    const { browser, clock } = make('win32', () => Promise.reject(new Error('too long')));
    expect(await browser.open('https://example.com/')).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('waits no longer than a while for the system', async () => {
    const { browser, clock } = make('win32', () => new Promise(() => undefined));
    const opened = browser.open('https://example.com/');
    clock.advance(5_000);
    expect(await opened).toBe(true);
  });

  it('a program that was chosen is started by its name, past the system', async () => {
    const { browser, asked } = make('darwin');
    expect(await browser.open('https://example.com/', ['no-such-browser'])).toBe(false);
    expect(asked).toEqual([]);
  });

  it('on Linux is the opener with a bare environment', async () => {
    const { browser, asked } = make('linux');
    // The test environment has no display.
    expect([browser.available(), await browser.open('https://example.com/')]).toEqual([false, false]);
    expect(asked).toEqual([]);
  });
});
