import { SmallButton } from './actions';
import { Code, CopyButton, Group, type ButtonProps } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';

/** A button that copies a text. @param name of the text, for screen readers */
export function CopyText({ text, name, ...look }: ButtonProps & { text: string; name?: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <SmallButton
          {...look}
          label={t(copied ? 'reading.copied' : 'reading.copy')}
          aria-label={name && `${t('reading.copy')}: ${name}`}
          onClick={copy}
        />
      )}
    </CopyButton>
  );
}

/** Shows the address of a new link, which the service does not show again. */
export function NewLink({ path }: { path: string }) {
  const link = window.location.origin + path;
  return (
    <Group role="status" gap="xs" wrap="nowrap">
      <Code block>{link}</Code>
      <CopyText text={link} />
    </Group>
  );
}
