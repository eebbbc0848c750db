import type { ReactNode } from 'react';
import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { hrefOf } from '../../navigation/route.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { KeyValues } from '../../ui/key-values.tsx';
import { Section } from '../../ui/page.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { PendingNotice } from '../confirming/pending-notice.tsx';
import styles from './inventories.module.css';
import { profileHref, wholeNameOf } from './profile-place.ts';
import { stateMarks, stateMeans, stateWords } from './profile-words.ts';

export type ProfileAnswer = CallOutput<'inventory.profile'>;

const conditionMarks = { True: 'good', False: 'bad', Unknown: 'idle' } as const;

/** All of one profile. What deserves a second look comes first. */
export function ProfileDetail({ profile }: { profile: ProfileAnswer }) {
  const { row, warnings, held, ignored, problems, conditions, labels } = profile;
  return (
    <>
      <ProfileState profile={profile} />
      {warnings.length > 0 && (
        <ul className={styles.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{sentence(warning)}</li>
          ))}
        </ul>
      )}
      {held && <PendingNotice pending={{ what: 'cluster', served: held.served }} lines={held.lines} />}
      <KeyValues rows={factsOf(profile)} />
      <Section title="Health">
        {conditions.length === 0 ? (
          <p className={styles.muted}>The profile states no conditions.</p>
        ) : (
          <ul className={styles.conditions}>
            {conditions.map(({ type, status, reason, message }) => (
              <li key={type}>
                <StatusMark health={conditionMarks[status]} label={status} />
                <div>
                  <p>
                    {type}
                    {reason !== '' && reason !== type && <span className={styles.muted}> · {reason}</span>}
                  </p>
                  {message !== '' && <p className={styles.muted}>{message}</p>}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Texts title="Ignored by the policy" texts={ignored} />
      <Texts title="Could not be read" texts={problems} />
      {labels.length > 0 && (
        <Section title="Labels">
          <ul className={styles.labels}>
            {labels.map(([label, value]) => (
              <li key={label} className="mono">
                {label}={value}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="In a terminal">
        {row.context === null ? (
          row.state !== 'unusable' && <CommandLine command={`lanyard inventory use ${wholeNameOf(row)}`} />
        ) : (
          <CommandLine command={`kubectl --context ${row.context} get pods`} />
        )}
        <CommandLine command={`lanyard inventory show ${wholeNameOf(row)}`} />
      </Section>
    </>
  );
}

function ProfileState({ profile: { row, contextName } }: { profile: ProfileAnswer }) {
  const { state, problem, context } = row;
  const means = stateMeans[state];
  return (
    <div className={styles.stack}>
      <p className={styles.large}>
        <StatusMark health={stateMarks[state]} label={null} />
        {stateWords[state]}
      </p>
      <p className={styles.muted}>
        {context === null ? (
          state !== 'unusable' && (
            <>
              Would be the context <span className="mono">{contextName}</span>.
            </>
          )
        ) : (
          <>
            Context <span className="mono">{context}</span> of kubectl.
          </>
        )}
      </p>
      {problem !== null && <p className={styles.problem}>{sentence(`the profile ${problem}`)}</p>}
      {means !== null && <p>{means}</p>}
    </div>
  );
}

function Texts({ title, texts }: { title: string; texts: readonly string[] }) {
  return texts.length === 0 ? null : (
    <Section title={title}>
      <ul className={styles.texts}>
        {texts.map((text) => (
          <li key={text}>{sentence(text)}</li>
        ))}
      </ul>
    </Section>
  );
}

function factsOf({ row, uid, memberId, alsoListed, why, facts }: ProfileAnswer): [string, ReactNode][] {
  const { inventory, displayName, clusterset, location, version, manager, provider } = row;
  const text = (label: string, value: string | null): [string, ReactNode][] =>
    value === null || value === '' ? [] : [[label, value]];
  return [
    [
      'Inventory',
      <a key="inventory" href={hrefOf('inventories', inventory)}>
        {inventory}
      </a>,
    ],
    ...text('Display name', displayName),
    ...text('Provider', why === null ? provider : `${why}.`),
    ...facts.map(([label, value]): [string, ReactNode] => [
      label,
      label === 'Account' ? (
        <a key="account" href={hrefOf('accounts', value)}>
          {value}
        </a>
      ) : (
        <span key={label} className="mono">
          {value}
        </span>
      ),
    ]),
    ...text('Clusterset', clusterset),
    ...text('Location', location),
    ...text('Version', version),
    ...text('Manager', manager),
    ...text('Member ID', memberId),
    ...also(alsoListed),
    ...text('UID', uid),
  ];
}

/** A hint: whoever writes a profile states what cluster it is. */
function also({ count, profiles }: ProfileAnswer['alsoListed']): [string, ReactNode][] {
  const more = count - profiles.length;
  return count === 0
    ? []
    : [
        [
          'Also listed as',
          <ul key="also" className={styles.texts}>
            {profiles.map((each) => (
              <li key={wholeNameOf(each)}>
                <a href={profileHref(each)}>{wholeNameOf(each)}</a>
              </li>
            ))}
            {more > 0 && <li>and {more} more</li>}
          </ul>,
        ],
      ];
}
