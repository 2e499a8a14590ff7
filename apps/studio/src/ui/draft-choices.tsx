import { Hint } from './frames';
import { Alert, Group, Text, type AlertProps, Button } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import { ConfirmButton, SmallButton } from './actions';
import { formatTime } from './format';
import type { DraftsOf } from './use-drafts';

interface DraftChoicesProps<T> {
  drafts: DraftsOf<T>;
  /** Etag of the server's version. */
  etag: string;
  /** Returns a short label of a draft. */
  describe: (content: T) => string;
  /** Called when the page should show something other than the typed text. */
  onShow?: () => void;
}

/** Offers choices for drafts of an older version and for drafts of other tabs. */
export function DraftChoices<T>({ drafts, etag, describe, onShow }: DraftChoicesProps<T>) {
  const { t } = useTranslation();
  const { own, others } = drafts;
  const showAfter = (change: () => void) => () => {
    change();
    onShow?.();
  };
  return (
    <>
      {own && own.etag !== etag && (
        <Choice color="yellow" title={t('drafts.older')} text={t('drafts.olderText')}>
          <SmallButton label={t('drafts.showNewest')} onClick={showAfter(drafts.leave)} />
          <SmallButton label={t('drafts.goOn')} onClick={() => drafts.keep(own.content, etag)} />
        </Choice>
      )}
      {others.map((draft) => (
        <Choice
          key={draft.id}
          color="blue"
          title={t('drafts.other')}
          text={`${describe(draft.content)} · ${formatTime(new Date(draft.at).toISOString())}`}
        >
          <SmallButton label={t('drafts.take')} onClick={showAfter(() => drafts.take(draft))} />
          <ConfirmButton
            label={t('drafts.discard')}
            confirm={t('drafts.discardNow')}
            onConfirm={() => drafts.discard(draft)}
          />
        </Choice>
      ))}
    </>
  );
}

const Choice = ({ children, text, ...look }: AlertProps & { text: string }) => (
  <Alert {...look}>
    <Text size="sm" mb="xs" children={text} />
    <Group gap="xs" align="flex-start" children={children} />
  </Alert>
);

interface SaveBarProps {
  /** Says whether there are unsaved changes. */
  state: string;
  label: string;
  isChanged: boolean;
  /** Absent if the draft is not based on this version: the author must choose before saving. */
  save: (() => void) | undefined;
  isSaving: boolean;
  undo: () => void;
}

/** Saves a draft, or discards it on a second press. */
export function SaveBar({ state, label, isChanged, isSaving, undo, save }: SaveBarProps) {
  const { t } = useTranslation();
  return (
    <Group justify="flex-end">
      <Hint role="status">{state}</Hint>
      <ConfirmButton
        size="sm"
        label={t('outline.undo')}
        confirm={t('outline.undoNow')}
        consequence={t('outline.undoText')}
        disabled={!isChanged}
        onConfirm={undo}
      />
      <Button disabled={!save} loading={isSaving} onClick={save}>
        {label}
      </Button>
    </Group>
  );
}
