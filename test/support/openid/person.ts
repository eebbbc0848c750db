import { Agent } from 'undici';
import { type Page, PageBrowser } from './page-browser.ts';

/** Where a browser was left. */
export interface LastPage {
  url: string;
  status: number;
  html: string;
  redirects: readonly string[];
}

/** Somebody at the provider's pages, each time in a browser of their own. */
export interface Person {
  /** Types the code, logs in (as `alice` unless said otherwise) and allows. Throws where a page says no. */
  approveDevice(userCode: string, as?: { login?: string }): Promise<void>;
  /** Types the code and says it isn't theirs. */
  denyDevice(userCode: string): Promise<void>;
  /** Types the code, logs in, and doesn't allow it. */
  refuseConsent(userCode: string, as?: { login?: string }): Promise<void>;
  /**
   * Opens the address of an authorization request, logs in and allows (or doesn't): a browser login without a
   * browser. Follows the redirect to the client, and hands back where that ended.
   */
  logInAt(address: string, as?: { login?: string; decision?: 'allow' | 'deny' }): Promise<LastPage>;
  /** The same, allowed, without going to the client: the address that the provider sends the browser to. */
  callbackOf(address: string, as?: { login?: string }): Promise<string>;
  /** Opens an address and follows its redirects, as somebody does who was sent there. */
  open(address: string): Promise<LastPage>;
  dispose(): Promise<void>;
}

const tag = /<[^>]*>/g;

const lastPage = ({ url, status, html, redirects }: Page): LastPage => ({
  url: url.href,
  status,
  html,
  redirects,
});

/** `verificationUri` is the page where codes are typed; `caPem` is the provider's CA. */
export function createPerson(verificationUri: string, caPem: string | null): Person {
  const agent = new Agent(caPem === null ? {} : { connect: { ca: caPem } });

  const expectPage = (page: Page, name: string): void => {
    if (page.name !== name) {
      const text = page.html.replace(/<style>[\s\S]*?<\/style>/g, '').replace(tag, ' ');
      throw new Error(
        `the provider shows "${page.name}" in place of "${name}": ${text.replace(/\s+/g, ' ')}`,
      );
    }
  };

  const typeCode = async (browser: PageBrowser, userCode: string): Promise<Page> => {
    const start = await browser.open(new URL(verificationUri));
    expectPage(start, 'code');
    const confirm = await browser.submit(start, { user_code: userCode });
    expectPage(confirm, 'confirm');
    return confirm;
  };

  const logIn = async (browser: PageBrowser, userCode: string, login: string): Promise<Page> => {
    const form = await browser.submit(await typeCode(browser, userCode), {});
    expectPage(form, 'login');
    const consent = await browser.submit(form, { login });
    expectPage(consent, 'consent');
    return consent;
  };

  return {
    async approveDevice(userCode, { login = 'alice' } = {}) {
      const browser = new PageBrowser(agent);
      const consent = await logIn(browser, userCode, login);
      expectPage(await browser.submit(consent, { decision: 'allow' }), 'done');
    },
    async denyDevice(userCode) {
      const browser = new PageBrowser(agent);
      const confirm = await typeCode(browser, userCode);
      expectPage(await browser.submit(confirm, { abort: 'yes' }), 'code');
    },
    async refuseConsent(userCode, { login = 'alice' } = {}) {
      const browser = new PageBrowser(agent);
      await browser.submit(await logIn(browser, userCode, login), { decision: 'deny' });
    },
    async logInAt(address, { login = 'alice', decision = 'allow' } = {}) {
      const browser = new PageBrowser(agent);
      const form = await browser.open(new URL(address));
      if (form.name !== 'login') {
        return lastPage(form); // an error page, or the client's own
      }
      const consent = await browser.submit(form, { login });
      return lastPage(consent.name === 'consent' ? await browser.submit(consent, { decision }) : consent);
    },
    async callbackOf(address, { login = 'alice' } = {}) {
      const { origin } = new URL(address);
      const browser = new PageBrowser(agent, (url) => url.origin === origin);
      const consent = await browser.submit(await browser.open(new URL(address)), { login });
      const page =
        consent.name === 'consent' ? await browser.submit(consent, { decision: 'allow' }) : consent;
      return page.url.href;
    },
    async open(address) {
      return lastPage(await new PageBrowser(agent).open(new URL(address)));
    },
    async dispose() {
      await agent.destroy();
    },
  };
}
