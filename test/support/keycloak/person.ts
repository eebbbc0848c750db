import type { Agent } from 'undici';
import { type Page, PageBrowser } from '../openid/page-browser.ts';

/** Somebody at Keycloak's pages, each time in a browser of their own. Rejects where another page is shown. */
export interface KeycloakPerson {
  /** Types the code, logs in and allows. */
  approveDevice(code: string, login?: string): Promise<void>;
  /** Types the code, logs in, and says no. */
  denyDevice(code: string, login?: string): Promise<void>;
  /** Opens the address of an authorization request and logs in; gives the page that the client shows at the end. */
  logInAt(address: string, login?: string): Promise<Page>;
  /** The same, without going to the client: gives the address that Keycloak sends the browser to. */
  callbackOf(address: string, login?: string): Promise<string>;
}

/** Their password is their login name. */
export function createKeycloakPerson(issuer: string, agent: Agent): KeycloakPerson {
  const logInOn = async (browser: PageBrowser, page: Page, login: string): Promise<Page> => {
    expectPage(page, 'login-login');
    return browser.submit(page, { username: login, password: login });
  };
  const atGrant = async (code: string, login: string) => {
    const browser = new PageBrowser(agent);
    const start = await browser.open(new URL(`${issuer}/device`));
    expectPage(start, 'login-login-oauth2-device-verify-user-code');
    const form = await browser.submit(start, { device_user_code: code });
    const grant = await logInOn(browser, form, login);
    expectPage(grant, 'login-login-oauth-grant');
    return { browser, grant };
  };
  const decide = async (code: string, login: string, button: Record<string, string>) => {
    const { browser, grant } = await atGrant(code, login);
    return browser.submit(grant, button);
  };
  return {
    async approveDevice(code, login = 'alice') {
      expectPage(await decide(code, login, { accept: 'Yes' }), 'login-info');
    },
    async denyDevice(code, login = 'alice') {
      await decide(code, login, { cancel: 'No' });
    },
    async logInAt(address, login = 'alice') {
      const browser = new PageBrowser(agent);
      return logInOn(browser, await browser.open(new URL(address)), login);
    },
    async callbackOf(address, login = 'alice') {
      const browser = new PageBrowser(agent, (url) => url.origin === new URL(issuer).origin);
      return (await logInOn(browser, await browser.open(new URL(address)), login)).url.href;
    },
  };
}

function expectPage(page: Page, name: string): void {
  if (page.name !== name) {
    const text = page.html
      .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
    throw new Error(`Keycloak shows "${page.name}" in place of "${name}": ${text}`);
  }
}
