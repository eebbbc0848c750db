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
    return <p role="status">The provider’s login page doesn’t use HTTPS, so it wasn’t opened.</p>;
  }
  return (
    <>
      <p role="status">
        {page.opened
          ? `Continue in your browser: log in at ${host}. This dialog closes when you’re done.`
          : `Open ${host} in a browser on this computer, and log in.`}
      </p>
      {page.trouble !== null && <p role="alert">{sentence(page.trouble)}</p>}
      <div className={styles.row}>
        <OpenLink href={address} icon={<ExternalLink />} strong={!page.opened}>
          {page.opened ? 'Open it again' : 'Open the page'}
        </OpenLink>
        <CopyButton text={address} label="Copy link" wide />
      </div>
      <Countdown endsAt={endsAt} />
    </>
  );
}
