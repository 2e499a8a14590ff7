import { Badge, Button, CopyButton, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { lengthOf, measuresOf, splitPiece, type Measure, type Platform } from './platform-text';

/**
 * Shows an article's version for a platform (A14). Each part can be edited and copied. Limits update during
 * typing.
 */
export function PlatformPiece({ platform, text }: { platform: Platform; text: string }) {
  const { t } = useTranslation();
  const [{ title, parts }, setPiece] = useState(() => splitPiece(platform, text));
  const change = (index: number, part: string) => setPiece({ title, parts: parts.with(index, part) });
  return (
    <Stack gap="sm">
      <Group gap="xs" role="status">
        {measuresOf(platform, title, parts).map((measure) => (
          <MeasureBadge key={measure.name} measure={measure} />
        ))}
      </Group>
      {title !== null && <Text fw={600}>{title}</Text>}
      {parts.map((part, index) => (
        <PartCard
          key={index}
          label={t('repurpose.part', { number: index + 1 })}
          part={part}
          length={lengthOf(platform, part)}
          onChange={(changed) => change(index, changed)}
        />
      ))}
    </Stack>
  );
}

interface PartCardProps {
  label: string;
  part: string;
  length: Measure | null;
  onChange: (part: string) => void;
}

function PartCard({ label, part, length, onChange }: PartCardProps) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="sm">
      <Textarea
        label={label}
        autosize
        maxRows={20}
        value={part}
        error={length !== null && length.is > length.most && t('repurpose.tooLong')}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group mt="xs" justify="space-between">
        {length ? <MeasureBadge measure={length} /> : <span />}
        <CopyButton value={part}>
          {({ copied, copy }) => (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`${t('repurpose.copy')}: ${label}`}
              onClick={copy}
            >
              {t(copied ? 'repurpose.copied' : 'repurpose.copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Paper>
  );
}

function MeasureBadge({ measure: { name, is, most } }: { measure: Measure }) {
  const { t } = useTranslation();
  return (
    <Badge variant="dot" color={is > most ? 'red' : 'green'}>
      {t(`repurpose.${name}`, { is, most })}
    </Badge>
  );
}
