import { Bullets } from '../../ui/bullets';
import { Stack, Textarea, Title, Badge } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import type { ResearchDetails } from '#article/contract/values.js';
import { changeFinding, type Decision } from '../../api/decisions';
import { useMay } from '../../api/session';
import { CitedSource } from '../../ui/cited-source';
import { FindingList } from '../../ui/finding-list';
import { ArticleAnswers } from './article-answers';
import { SourceConflicts } from '../../ui/source-conflicts';
import { Card } from '../../ui/frames';
import { textProps } from '../../ui/actions';

const asText = (headings: ResearchDetails['headings']) =>
  headings.map(({ level, title }) => `${'#'.repeat(level)} ${title}`).join('\n');

function parse(text: string): ResearchDetails['headings'] {
  return text.split('\n').flatMap((line) => {
    const [, marks, title] = /^(#{1,4})\s+(.*\S)\s*$/.exec(line) ?? [];
    return marks && title ? [{ level: marks.length, title: title.slice(0, 300) }] : [];
  });
}

/** Selects the place of a finding in the report. */
function selectIn(field: HTMLTextAreaElement | null, span: { start: number; end: number } | null): void {
  if (!span) return;
  field?.focus();
  field?.setSelectionRange(span.start, span.end);
}

/** Shows the research and the headings of the article; both can be edited, and further questions asked (A3, A6). */
export default function ResearchReview({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const details = decision.details as ResearchDetails;
  const [report, setReport] = useState(details.report);
  const reportField = useRef<HTMLTextAreaElement>(null);
  const [headings, setHeadings] = useState(() => asText(details.headings));
  return (
    <Card title={t('research.title')}>
      <Textarea
        label={t('research.headings')}
        maxRows={14}
        readOnly={!mayWrite}
        {...textProps(headings, setHeadings)}
      />
      <Textarea
        ref={reportField}
        label={t('research.report')}
        maxRows={18}
        readOnly={!mayWrite}
        {...textProps(report, setReport)}
      />
      {details.findings.length > 0 && (
        <FindingList
          findings={details.findings}
          onChoose={({ span }) => selectIn(reportField.current, span)}
          onRule={mayWrite ? (finding, ruled) => changeFinding(decision.id, finding, ruled) : undefined}
        />
      )}
      <ResearchNotes {...details} />
      {details.sources.map((source) => (
        <CitedSource key={source.label} source={source}>
          {` – ${source.summary}`}
        </CitedSource>
      ))}
      <ArticleAnswers
        decision={decision}
        reject={{
          label: t('research.again'),
          reasonLabel: t('research.question'),
          answerWith: (question) => ({
            action: 'search',
            questions: [question.slice(0, 300)],
            ...(parse(headings).length > 0 ? { headings: parse(headings) } : {}),
          }),
        }}
        accept={{
          label: t('research.approve'),
          answer: { action: 'approve', report, headings: parse(headings) },
          isDisabled: parse(headings).length === 0,
        }}
      />
    </Card>
  );
}

/** Shows the questions of the research, its open questions, and contradicting passages side by side (A6). */
function ResearchNotes({ questions = [], conflicts = [], sources }: ResearchDetails) {
  const { t } = useTranslation();
  const titles = new Map(sources.map((source) => [source.label, source]));
  const open = questions.filter(({ status }) => status === 'open');
  return (
    <Stack gap="sm">
      {questions.length > 0 && (
        <>
          <Title order={3} size="h5">
            {t('research.questions', { count: questions.length, open: open.length })}
          </Title>
          <Bullets
            aria-label={t('research.questionList')}
            items={questions.map(({ perspective, question, status, labels }) => (
              <>
                {question}{' '}
                <Badge size="sm" variant="default">
                  {perspective}
                </Badge>{' '}
                {status === 'answered' ? labels.map((label) => `[${label}]`).join(' ') : t('research.open')}
              </>
            ))}
          />
        </>
      )}
      <SourceConflicts conflicts={conflicts} sources={titles} />
    </Stack>
  );
}
