import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { refuse } from '../../../contract/refusal.ts';
import { endPage, pageHeaders, slowPage, strangePage } from './end-page.ts';

const done = {
  ok: true,
  subject: 'a',
  displayName: 'Al <script>alert("1")</script> & co',
  issuer: 'https://id.example.com/realm',
  flow: 'browser',
  note: null,
} as const;

test('says who is logged in, to which account, and that the window can be closed', () => {
  const { status, html } = endPage('corp', done);
  expect(status).toBe(200);
  expect(html).toContain('Al &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; co');
  expect(html).not.toContain('<script>alert');
  expect(html).toContain('as the account corp, from id.example.com');
  expect(html).toContain('You can close this window');
});

test('says what went wrong and what to do', () => {
  const refusal = refuse('denied', 'x.y', 'the login of <corp> was denied', 'run <b> first');
  const { status, html } = endPage('corp', refusal);
  expect(status).toBe(400);
  expect(html).toContain('The login of &lt;corp&gt; was denied.');
  expect(html).toContain('run &lt;b&gt; first');
  expect(endPage('corp', refuse('denied', 'x.y', 'corp is taken')).html).toContain('corp is taken.');
  expect(endPage('corp', refuse('denied', 'x.y', 'no')).html).toContain('lanyard login corp');
});

test.each([
  ['end', endPage('corp', done)],
  ['strange', strangePage()],
  ['slow', slowPage()],
])(
  'the page %s loads nothing, and its one style and script are what the policy allows',
  (name, { html: whole }) => {
    const script = /<script>([\s\S]*?)<\/script>/.exec(whole)?.[1];
    expect(script).toBe(name === 'end' ? 'setTimeout(() => close(), 3000)' : undefined);
    const allowed = script && createHash('sha256').update(script).digest('base64');
    expect(pageHeaders['content-security-policy']).toContain(`script-src 'sha256-${allowed ?? ''}`);
    const html = whole.replace(`<script>${script}</script>`, '');
    expect(html).not.toMatch(
      /<(script|link|img|iframe|form|object|base)\b|\bsrc=|\bhref=|\bon\w+=|url\(|@import/i,
    );
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    expect(pageHeaders['content-security-policy']).toContain(`style-src 'sha256-${digest}'`);
    expect(pageHeaders['content-security-policy']).toMatch(
      /^default-src 'none'; [^*]*frame-ancestors 'none'$/,
    );
    expect(html).not.toMatch(/style="/);
  },
);
