import type { FindingView } from '../../../main/contract/ui/calls/settings.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { Section } from '../../ui/page.tsx';
import { type FindingGroup, findingGroups, summaryText } from './group-findings.ts';
import styles from './settings.module.css';

/** The findings: what doesn't work comes first, with what to do about it. */
export function Findings({ findings }: { findings: readonly FindingView[] }) {
  return (
    <div>
      <p role="status" className={styles.summary}>
        {summaryText(findings)}
      </p>
      {findingGroups(findings).map((group) => (
        <Group key={group.group} {...group} />
      ))}
    </div>
  );
}

function Group({ title, worth, fine }: FindingGroup) {
  return (
    <Section title={title}>
      {worth.length > 0 && (
        <ul className={styles.findings}>
          {worth.map((finding) => (
            <Row key={`${finding.check} ${finding.subject} ${finding.message}`} finding={finding} />
          ))}
        </ul>
      )}
      {fine.length > 0 && (
        <details>
          <summary>{fine.length === 1 ? '1 check passed' : `${fine.length} checks passed`}</summary>
          <ul className={styles.findings}>
            {fine.map((finding) => (
              <Row key={`${finding.check} ${finding.subject} ${finding.message}`} finding={finding} />
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

const words = { problem: 'Problem', warning: 'Warning', note: 'Note', ok: 'Fine' } as const;

function Row({ finding: { level, subject, message, hint } }: { finding: FindingView }) {
  return (
    <li className={styles.finding}>
      <span className={styles[level]}>{words[level]}</span>
      <div>
        <p>
          {subject !== null && <strong>{subject}: </strong>}
          {sentence(message)}
        </p>
        {hint !== null && <p className={styles.text}>{sentence(hint)}</p>}
      </div>
    </li>
  );
}
