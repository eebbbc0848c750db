import { ExternalLink } from 'lucide-react';
import type { CallProgress } from '../../../main/contract/ui/calls/index.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Countdown } from './countdown.tsx';
import styles from './login.module.css';
import { OpenLink } from './open-link.tsx';
import { hostOf, safeAddress } from './safe-address.ts';

type Page = Extract<CallProgress<'account.login'>, { shows: 'browserPage' }>;

/** Waits while the user logs in at the provider's page. */
export function BrowserStep({ page, endsAt }: { page: Page; endsAt: number }) {
  const host = hostOf(page.url);
  const address = safeAddress(page.url);
  if (address === null) {
    return (
      <p role="status">
        The provider’s page is at an address that is neither https nor on this machine, so it isn’t opened.
      </p>
    );
  }
  return (
    <>
      <p role="status">
        {page.opened
          ? `A page of ${host} was opened in your browser. Log in there; this closes itself when you are done.`
          : `Open the page of ${host} in a browser on this machine, and log in there.`}
      </p>
      {page.trouble !== null && <p role="alert">{sentence(page.trouble)}</p>}
      <div className={styles.row}>
        <OpenLink href={address} icon={<ExternalLink />} strong={!page.opened}>
          {page.opened ? 'Open it again' : 'Open the page'}
        </OpenLink>
        <CopyButton text={address} label="Copy the address" wide />
      </div>
      <Countdown endsAt={endsAt} />
    </>
  );
}
