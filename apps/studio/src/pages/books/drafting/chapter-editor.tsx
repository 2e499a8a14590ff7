import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveText, type ChapterText } from '../../../api/chapters';
import { useMay } from '../../../api/session';
import { ProblemAlert } from '../../../ui/problem-alert';
import { ReviewedText } from '../../../ui/reviewed-text';

interface Kept {
  /** Of the chapter that the text was begun from. */
  etag: string;
  content: string;
}

const keptAt = (id: string) => `scriptorium.chapter.${id}`;

function keptOf(chapter: ChapterText): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(keptAt(chapter.id)) ?? 'null') as Kept | null;
    return kept && kept.content !== chapter.content ? kept : null;
  } catch {
    return null;
  }
}

/** The markdown source of a chapter with its findings; what is typed is kept in the browser until it is saved (B3). */
export function ChapterEditor({ chapter }: { chapter: ChapterText }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const [kept, setKept] = useState(() => keptOf(chapter));
  const [turn, setTurn] = useState(0);
  const forget = () => {
    localStorage.removeItem(keptAt(chapter.id));
    setKept(null);
  };
  const saving = useMutation({
    mutationFn: (content: string) => saveText(chapter, content),
    onSuccess: forget,
  });
  const change = (content: string) => {
    const next = { etag: kept?.etag ?? chapter.etag, content };
    localStorage.setItem(keptAt(chapter.id), JSON.stringify(next));
    setKept(content === chapter.content ? null : next);
  };
  return (
    <Stack>
      {kept && kept.etag !== chapter.etag && <Alert color="yellow">{t('drafting.older')}</Alert>}
      {saving.error && <ProblemAlert error={saving.error} />}
      <ReviewedText
        key={turn}
        label={t('drafting.textOf', { title: chapter.title })}
        content={kept?.content ?? chapter.content}
        findings={chapter.review?.findings ?? []}
        readOnly={!mayWrite}
        onChange={change}
      />
      {mayWrite && (
        <SaveBar
          version={chapter.version}
          isChanged={kept !== null}
          isSaving={saving.isPending}
          onUndo={() => {
            forget();
            setTurn(turn + 1);
          }}
          onSave={() => kept && saving.mutate(kept.content)}
        />
      )}
    </Stack>
  );
}

interface SaveBarProps {
  version: number;
  isChanged: boolean;
  isSaving: boolean;
  onUndo: () => void;
  onSave: () => void;
}

function SaveBar({ version, isChanged, isSaving, onUndo, onSave }: SaveBarProps) {
  const { t } = useTranslation();
  return (
    <Group justify="flex-end">
      <Text size="sm" c="dimmed" role="status">
        {t(isChanged ? 'drafting.unsaved' : 'drafting.saved', { version })}
      </Text>
      <Button variant="default" disabled={!isChanged} onClick={onUndo}>
        {t('outline.undo')}
      </Button>
      <Button disabled={!isChanged} loading={isSaving} onClick={onSave}>
        {t('drafting.save')}
      </Button>
    </Group>
  );
}
