import { Bullets } from '../../ui/bullets';
import { Alert, Button, Group, Paper, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { type Decision, giveAnswer } from '../../api/decisions';
import { useMay } from '../../api/session';
import { Age, Moment } from '../../ui/format';
import { AnsweredBy } from './answered-elsewhere';
import { ProblemAlert, Heading, Hint } from '../../ui/frames';
import { Passage } from '../../ui/reading/passage';
import { useRunWords, usePhrases } from '../../ui/run-words';
import { SchemaForm } from './schema-form';
import { initialAnswer, isComplete, leavesOf, type AnswerValue, type JsonSchema } from '../../ui/json-schema';
import { Form } from '../../ui/actions';

/** Shows an open question: its context, a form generated from its schema, deadline and default. */
export function DecisionCard({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const render = usePhrases();
  const say = useAnswerWords();
  // Below its first line, the question of an approval is Markdown.
  const [first = '', ...rest] = render(decision.phrase, decision.question).split('\n');
  const question = first.replace(/^#+ /, '');
  const details = rest.join('\n').trim();
  const schema = decision.answer_schema as JsonSchema;
  const [answer, setAnswer] = useState<AnswerValue>(() => initialAnswer(schema));
  const giving = useMutation({ mutationFn: () => giveAnswer(decision.id, answer) });
  const place = (ref: string) => {
    const found = decision.references.find((each) => each.ref === ref);
    if (!found?.source) return null;
    const line = t('decision.place', { source: found.source, line: found.line ?? '?' });
    return found.hint ? `${line}. ${t('decision.hint', { hint: found.hint })}` : line;
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={question} className="approval-text">
      <Form onSubmit={() => giving.mutate()}>
        <Stack gap="sm">
          <Heading>{question}</Heading>
          <Hint>
            {t('decision.asked')} <Moment at={decision.created_at} />
          </Hint>
          <Context decision={decision} />
          {decision.status === 'open' ? (
            <fieldset className="plain-fieldset" disabled={!mayWrite || giving.isPending}>
              <SchemaForm
                schema={schema}
                value={answer}
                onChange={setAnswer}
                describe={place}
                sessionId={decision.session_id}
              />
            </fieldset>
          ) : (
            <Alert color="green" title={say(decision.answer)}>
              <AnsweredBy decision={decision} own="decisions.answered" />
            </Alert>
          )}
          {details &&
            (decision.status === 'open' ? (
              <Passage markdown={details} />
            ) : (
              <details>
                <summary>{t('run.details')}</summary>
                <Passage markdown={details} />
              </details>
            ))}
          {giving.error && <ProblemAlert error={giving.error} />}
          {decision.status === 'open' && (
            <Group justify="space-between" className="answer-bar">
              <Deadline decision={decision} />
              {mayWrite && (
                <Button type="submit" loading={giving.isPending} disabled={!isComplete(schema, answer)}>
                  {t('decision.answer')}
                </Button>
              )}
            </Group>
          )}
        </Stack>
      </Form>
    </Paper>
  );
}

function Context({ decision: { context, context_phrases } }: { decision: Decision }) {
  const render = usePhrases();
  const words = useRunWords();
  if (context.length === 0) return null;
  const factOf = (fact: string, index: number): string => {
    const phrase = context_phrases[index];
    if (phrase?.code !== 'fact.by_rules') return render(phrase, fact);
    const stages = String(phrase.params.stages).split(', ').map(words.stage).join(', ');
    return render({ ...phrase, params: { stages } }, fact);
  };
  return <Bullets items={context.map(factOf)} />;
}

/** Returns a function that says an answer in words. */
function useAnswerWords() {
  const words = useRunWords();
  return (answer: unknown): string =>
    leavesOf(answer as AnswerValue)
      // Only programs need to know that an answer is the default.
      .filter(([name]) => name !== 'by')
      .map(([name, value]) => [words.field(name), words.choice(value)].filter(Boolean).join(': '))
      .join(', ');
}

/** Shows the deadline and the default answer. */
function Deadline({ decision: { deadline, default_answer } }: { decision: Decision }) {
  const { t } = useTranslation();
  const answer = useAnswerWords()(default_answer);
  if (!deadline) return null;
  return (
    <Hint>
      {t('decision.deadline')} <Age at={deadline} />. {answer && t('decision.otherwise', { answer })}
    </Hint>
  );
}
