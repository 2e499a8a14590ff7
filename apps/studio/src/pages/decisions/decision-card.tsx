import { Bullets } from '../../ui/bullets';
import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { type Decision, giveAnswer } from '../../api/decisions';
import { useMay } from '../../api/session';
import { Age, Moment } from '../../ui/format';
import { ProblemAlert, Heading } from '../../ui/frames';
import { useRunWords, usePhrases } from '../../ui/run-words';
import { SchemaForm } from './schema-form';
import { initialAnswer, isComplete, leavesOf, type AnswerValue, type JsonSchema } from '../../ui/json-schema';
import { Form } from '../../ui/actions';
import { RunLink } from '../../ui/work-name';

/** Shows an open question: its context, a form generated from its schema, deadline and default. */
export function DecisionCard({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const render = usePhrases();
  const question = render(decision.phrase, decision.question);
  const schema = decision.answer_schema as JsonSchema;
  const [answer, setAnswer] = useState<AnswerValue>(() => initialAnswer(schema));
  const giving = useMutation({ mutationFn: () => giveAnswer(decision.id, answer) });
  const where = new Map(decision.references.map((reference) => [reference.ref, reference]));
  const place = (ref: string) => {
    const found = where.get(ref);
    if (!found?.source) return null;
    const line = t('decision.place', { source: found.source, line: found.line ?? '?' });
    return found.hint ? `${line}. ${t('decision.hint', { hint: found.hint })}` : line;
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={question}>
      <Form onSubmit={() => giving.mutate()}>
        <Stack gap="sm">
          <Heading>{question}</Heading>
          <Text size="sm" c="dimmed">
            {t('decision.asked')} <Moment at={decision.created_at} /> ·{' '}
            <RunLink id={decision.run_id} underline="always">
              {t('decision.run')}
            </RunLink>
          </Text>
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
            <Alert color="green">{t('decision.answeredBy', { who: decision.answered_by ?? '' })}</Alert>
          )}
          {giving.error && <ProblemAlert error={giving.error} />}
          <Group justify="space-between" className="answer-bar">
            <Deadline decision={decision} />
            {decision.status === 'open' && mayWrite && (
              <Button type="submit" loading={giving.isPending} disabled={!isComplete(schema, answer)}>
                {t('decision.answer')}
              </Button>
            )}
          </Group>
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

/** Shows the deadline and the default answer. */
function Deadline({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const words = useRunWords();
  const then = leavesOf(decision.default_answer as AnswerValue).map(
    ([name, value]) => `${words.field(name)}: ${words.choice(value)}`,
  );
  return (
    <Text size="sm" c="dimmed">
      {decision.deadline && (
        <>
          {t('decision.deadline')} <Age at={decision.deadline} />.{' '}
          {then.length > 0 && t('decision.otherwise', { answer: then.join(', ') })}
        </>
      )}
    </Text>
  );
}
