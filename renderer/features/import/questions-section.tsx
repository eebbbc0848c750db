import { classes } from '../../ui/classes.ts';
import { type Answers, isYes, type PlanQuestionView, questionKey, withAnswer } from './answers.ts';
import styles from './import.module.css';

/** What the import needs the user’s yes for, with a checkbox each. Contexts without a yes stay as they are. */
export function Questions({
  questions,
  answers,
  own,
  busy,
  onAnswers,
}: {
  questions: readonly PlanQuestionView[];
  answers: Answers;
  /** The plan is of the files that kubectl reads. */
  own: boolean;
  /** A new plan is loading, and its questions may be different. */
  busy: boolean;
  onAnswers(answers: Answers): void;
}) {
  return questions.map((question) => {
    const key = questionKey(question);
    return (
      <Question
        key={key}
        question={question}
        yes={isYes(question, answers, own)}
        // What isn’t in the kubeconfig itself (a file’s token, what a plugin answers) is seen at once.
        folded={
          own &&
          question.kind === 'unknownAuthority' &&
          question.isUsual &&
          !question.lines.some((line) => line.includes('; it gets '))
        }
        busy={busy}
        onAnswer={(yes) => onAnswers(withAnswer(answers, question, yes))}
      />
    );
  });
}

function Question({
  question,
  yes,
  folded,
  busy,
  onAnswer,
}: {
  question: PlanQuestionView;
  yes: boolean;
  /** The facts are one click away: kubectl trusts these servers already. */
  folded: boolean;
  busy: boolean;
  onAnswer(yes: boolean): void;
}) {
  const { asked, kind, lines } = question;
  // Two servers may have the same CA: their lines are alike.
  const facts = lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <span key={`${index} ${line}`} className="mono">
      {line}
    </span>
  ));
  return (
    <section className={classes(styles.question, yes && styles.answered)} aria-label={asked}>
      <label className={styles.box}>
        <input
          type="checkbox"
          checked={yes}
          disabled={busy}
          onChange={(event) => onAnswer(event.target.checked)}
        />
        <span>
          <strong>{asked.replace(/\?$/, '')}</strong>
          <span className={styles.muted}>{headings[kind]}</span>
        </span>
      </label>
      {folded ? (
        <details>
          <summary>Servers and their CAs</summary>
          <div className={styles.facts}>{facts}</div>
        </details>
      ) : (
        <div className={styles.facts}>{facts}</div>
      )}
    </section>
  );
}

const headings: Readonly<Record<PlanQuestionView['kind'], string>> = {
  replaces: 'These entries have changed since they were imported.',
  otherAuthority: 'A cluster that you have is at this address, and is trusted differently.',
  unknownAuthority: 'To be sure, compare each CA with your cluster administrator’s.',
  mixedFiles: 'Load one of the files alone to get its own clusters and users.',
  insecure: 'Anyone on the network could intercept this credential.',
  sharedAudience: 'Whoever runs one of these servers could use the token at the others.',
};
