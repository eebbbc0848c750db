import { Fragment, useEffect, useRef } from 'react';
import type { TestedCluster } from '../../../../main/contract/ui/calls/clusters.ts';
import { useAction } from '../../../stores/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import type { EntryTestProps } from '../../entries/entry-rules.ts';
import { TestPanel } from '../../entries/test-panel.tsx';
import { useTested } from '../../entries/use-test.ts';
import { pemOf } from './authority.ts';
import styles from './cluster.module.css';
import type { EntryValues } from './entry-values.ts';

const labels: Readonly<Record<string, string>> = {
  server: 'Server',
  account: 'Account',
  certificateAuthority: 'Certificate authority',
  tlsServerName: 'TLS server name',
  proxyUrl: 'Proxy URL',
  insecureSkipTlsVerify: 'Skip TLS verification',
};

/** Tests a cluster before it is saved, and offers the CA that its server states. */
export function ClusterTest({ entry, isSound, showFaults, onChange, onShow }: EntryTestProps<EntryValues>) {
  const test = useAction('cluster.test');
  const key = JSON.stringify(entry);
  const tested = useTested<TestedCluster>(key);
  const isAccepted = useRef(false);
  const run = async () => tested.set(await test.run({ entry }));
  // With the CA that was just accepted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the entry
  useEffect(() => {
    if (isAccepted.current) {
      isAccepted.current = false;
      void run();
    }
  }, [key]);
  const accept = (data: string) => {
    isAccepted.current = true;
    onChange({ authority: 'data', certificateAuthorityData: pemOf(data) });
  };
  const { answer } = tested;
  return (
    <>
      <TestPanel
        test={{
          busy: test.busy,
          doing: 'asking the server',
          failure: test.failure,
          findings: answer?.findings ?? null,
          isOld: tested.isOld,
        }}
        about="Test asks the server without a credential, and saves nothing."
        labelOf={(field) => labels[field] ?? null}
        onShow={onShow}
      >
        {answer?.authority && !tested.isOld && (
          <StatedAuthority authority={answer.authority} onAccept={accept} />
        )}
      </TestPanel>
      <div>
        <Button busy={test.busy} onClick={() => (isSound ? void run() : showFaults())}>
          Test
        </Button>
      </div>
    </>
  );
}

function StatedAuthority({
  authority: { data, certificates },
  onAccept,
}: {
  authority: NonNullable<TestedCluster['authority']>;
  onAccept(data: string): void;
}) {
  return (
    <section className={styles.stated} aria-label="The CA that the server states">
      {certificates.map(({ fingerprint, subject, expires }) => (
        <dl key={fingerprint}>
          <dt>CA</dt>
          <dd>{subject}</dd>
          <dt>SHA-256</dt>
          <dd>
            <code>
              {fingerprint.split(':').map((byte, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the bytes of one fingerprint never move
                <Fragment key={at}>
                  {at > 0 && ':'}
                  <wbr />
                  {byte}
                </Fragment>
              ))}
            </code>
          </dd>
          <dt>Expires</dt>
          <dd>{expires}</dd>
        </dl>
      ))}
      <div>
        <Button onClick={() => onAccept(data)}>Accept this CA</Button>
      </div>
    </section>
  );
}
