import { Badge, Button, Paper, Stack, Text } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import type { Schemas } from '../api/client';
import { FindingRuling, type RuleOnFinding } from './finding-ruling';
import { usePhrases } from './use-phrases';

type Finding = Schemas['Finding'];

const COLOURS = { info: 'blue', warning: 'orange', error: 'red' } as const;

interface FindingListProps {
  findings: readonly Finding[];
  onChoose: (finding: Finding) => void;
  /** Absent if the user may not mark findings as wrong now. */
  onRule?: RuleOnFinding | undefined;
}

/** Lists findings with their evidence; choosing one jumps to its location in the text (B26). */
export function FindingList({ findings, onChoose, onRule }: FindingListProps) {
  const { t } = useTranslation();
  const render = usePhrases();
  return (
    <Stack gap="xs" className="finding-list" tabIndex={0} role="region" aria-label={t('finding.title')}>
      {findings.map((finding) => (
        <Paper key={finding.id} withBorder p="xs">
          <Badge size="sm" variant="dot" color={COLOURS[finding.severity]} title={finding.rule}>
            {t(`severity.${finding.severity}`)}
          </Badge>
          <Text size="sm">{render(finding.phrase, finding.message)}</Text>
          {finding.suggestion && (
            <Text size="sm" c="dimmed">
              {finding.suggestion_phrase
                ? render(finding.suggestion_phrase, finding.suggestion)
                : t('finding.suggested', { text: finding.suggestion })}
            </Text>
          )}
          {finding.evidence.map(({ text, phrase }, index) => (
            <Text key={index} size="xs" className="quoted">
              {render(phrase, text)}
            </Text>
          ))}
          {finding.span && (
            <Button size="compact-xs" variant="default" mt={4} onClick={() => onChoose({ ...finding })}>
              {t('finding.show')}
            </Button>
          )}
          <FindingRuling finding={finding} onRule={onRule} />
        </Paper>
      ))}
    </Stack>
  );
}
