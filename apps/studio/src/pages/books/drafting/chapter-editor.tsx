import { Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from '../../../i18n/i18n';
import { changeFinding, saveText, type ChapterText } from '../../../api/chapters';
import { queryClient } from '../../../api/query-client';
import { useMay } from '../../../api/session';
import { ChangeSelection, type Span } from '../../../ui/change-selection';
import { DraftChoices, SaveBar } from '../../../ui/draft-choices';
import { ProblemAlert } from '../../../ui/frames';
import { ReviewedText } from '../../../ui/reviewed-text';
import { useDrafts } from '../../../ui/use-drafts';

/** Maximum length of a draft's label, in characters. */
const FIRST_CHARACTERS = 80;

interface ChapterEditorProps {
  chapter: ChapterText;
  /** Called when there are unsaved changes, and when they are saved or discarded. */
  onEdited: (isEdited: boolean) => void;
}

/**
 * Edits the Markdown source of a chapter, with its findings. Changes are stored in the browser until they are
 * saved (B3). A draft of an older version is saved only after its author has chosen it.
 */
export function ChapterEditor({ chapter, onEdited }: ChapterEditorProps) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const refetchChapter = useCallback(
    () => void queryClient.invalidateQueries({ queryKey: ['chapter', chapter.id] }),
    [chapter.id],
  );
  const drafts = useDrafts<string>(
    `scriptorium.chapter.${chapter.id}`,
    (content) => content === chapter.content,
    refetchChapter,
  );
  const { own } = drafts;
  const isEdited = own !== null;
  useEffect(() => onEdited(isEdited), [isEdited, onEdited]);
  const [turn, setTurn] = useState(0);
  const [selected, setSelected] = useState<Span | null>(null);
  const remountEditor = () => setTurn(turn + 1);
  const saving = useMutation({
    mutationFn: (content: string) => saveText(chapter, content),
    onSuccess: (_, content) => drafts.saved(content),
    // If the chapter has changed, the page reports it and asks what to do with the draft.
    onError: refetchChapter,
  });
  const change = (content: string) => {
    if (content === chapter.content) drafts.forget();
    else drafts.keep(content, own?.etag ?? chapter.etag);
  };
  return (
    <Stack>
      {mayWrite && (
        <DraftChoices
          drafts={drafts}
          etag={chapter.etag}
          describe={(content) => content.slice(0, FIRST_CHARACTERS)}
          onShow={remountEditor}
        />
      )}
      {saving.error && <ProblemAlert error={saving.error} />}
      <ReviewedText
        key={turn}
        label={t('drafting.textOf', { title: chapter.title })}
        content={own?.content ?? chapter.content}
        findings={chapter.review?.findings ?? []}
        readOnly={!mayWrite}
        onChange={change}
        onSelect={setSelected}
        onRule={
          mayWrite && !isEdited ? (finding, ruled) => changeFinding(chapter, finding, ruled) : undefined
        }
      />
      {mayWrite && (
        <ChangeSelection
          text={{ chapter_id: chapter.id }}
          content={chapter.content}
          selected={selected}
          isEdited={isEdited}
        />
      )}
      {mayWrite && (
        <SaveBar
          state={t(isEdited ? 'drafting.unsaved' : 'drafting.saved', { version: chapter.version })}
          label={t('drafting.save')}
          isChanged={isEdited}
          isSaving={saving.isPending}
          undo={() => {
            drafts.forget();
            remountEditor();
          }}
          save={own?.etag === chapter.etag ? () => saving.mutate(own.content) : undefined}
        />
      )}
    </Stack>
  );
}
