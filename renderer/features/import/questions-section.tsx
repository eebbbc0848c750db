import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Field, TextInput } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { type Answers, isYes, type PlanQuestionView, questionKey } from './answers.ts';
import styles from './import.module.css';

/** The questions that the user has to agree to, one by one. */
export function QuestionsSection({
  questions,
  answers,
  busy,
  onAnswer,
  onRefuse,
}: {
  questions: readonly PlanQuestionView[];
  answers: Answers;
  /** A new plan is loading, and its questions may be different. */
  busy: boolean;
  /** `''` withdraws the answer. */
  onAnswer(key: string, word: string): void;
  onRefuse(contexts: readonly string[]): void;
}) {
  return questions.length === 0 ? null : (
    <Section title={questions.length === 1 ? '1 question' : `${questions.length} questions`}>
      {questions.map((question) => (
        <Question
          key={questionKey(question)}
          question={question}
          word={answers[questionKey(question)] ?? ''}
          yes={isYes(question, answers)}
          busy={busy}
          onAnswer={(word) => onAnswer(questionKey(question), word)}
          onRefuse={() => onRefuse(question.contexts)}
        />
      ))}
    </Section>
  );
}

function Question({
  question,
  word,
  yes,
  busy,
  onAnswer,
  onRefuse,
}: {
  question: PlanQuestionView;
  word: string;
  yes: boolean;
  busy: boolean;
  onAnswer(word: string): void;
  onRefuse(): void;
}) {
  return (
    <section className={classes(styles.question, yes && styles.answered)} aria-label={question.asked}>
      <p className={styles.asked}>{question.asked}</p>
      <p className={styles.muted}>{headings[question.kind]}</p>
      <section className={styles.facts} aria-label="The facts">
        {question.lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two servers may have the same CA
          <span key={`${index} ${line}`} className="mono">
            {line}
          </span>
        ))}
      </section>
      <div className={styles.row}>
        {question.wholeWord ? (
          <div className={styles.word}>
            <Field label="Write yes to agree">
              <TextInput value={word} maxLength={16} onChange={(event) => onAnswer(event.target.value)} />
            </Field>
          </div>
        ) : (
          <Button aria-pressed={yes} disabled={busy} onClick={() => onAnswer(yes ? '' : 'y')}>
            {yes ? 'Agreed' : 'Yes'}
          </Button>
        )}
        <Button kind="quiet" disabled={busy} onClick={onRefuse}>
          No, leave {question.contexts.length === 1 ? 'it' : 'them'} out
        </Button>
      </div>
    </section>
  );
}

const headings: Readonly<Record<PlanQuestionView['kind'], string>> = {
  replaces: 'It was imported before, and is something else now.',
  unknownAuthority:
    'Lanyard doesn’t know these servers yet. Compare the fingerprints with what their owner told you.',
  insecure: 'Nothing there proves who answers: whoever is on the way can read what is sent.',
  sharedAudience: 'One token is good at several servers, so each of them could use it at the others.',
};
