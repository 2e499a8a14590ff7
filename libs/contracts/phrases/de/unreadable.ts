/** Why files cannot be read, in German. */
export const unreadable = {
  'unreadable.captions':
    '{name} enthält keine Untertitel, also Zeilen wie 00:01:02,000 --> 00:01:04,500 mit Text darunter',
  'unreadable.copy_protected': '{name} ist kopiergeschützt, der Text lässt sich nicht lesen',
  'unreadable.crashed': '{name} ist nicht lesbar: Die Datei ist beschädigt oder hat die falsche Endung',
  'unreadable.damaged': '{name} ist beschädigt: {reason}',
  'unreadable.damaged_archive': '{name} ist beschädigt und lässt sich nicht entpacken',
  'unreadable.email': '{name} lässt sich nicht als E-Mail lesen: {reason}',
  'unreadable.encoding_unknown': 'Unbekannte Zeichenkodierung {encoding}',
  'unreadable.encrypted_pdf': '{name} ist verschlüsselt',
  'unreadable.nested_emails': '{name} ist in zu viele E-Mails verschachtelt',
  'unreadable.no_email': '{name} ist keine E-Mail: Absender, Betreff und Datum fehlen',
  'unreadable.no_text_in_pdf':
    '{name} enthält keinen Text, nur Bilder; führen Sie zuerst eine Texterkennung durch',
  'unreadable.not': '{name} ist nicht lesbar; erwartet wird {kind}',
  'unreadable.not_but': '{name} ist {other}; nach der Endung wird {kind} erwartet',
  'unreadable.not_text': '{name} ist keine Textdatei',
  'unreadable.not_utf8':
    '{name} ist nicht in UTF-8 kodiert, sondern vermutlich in {encoding} ({percent} %). Wandeln Sie die Datei um oder geben Sie ihre Zeichenkodierung an.',
  'unreadable.neither_utf8':
    '{name} ist weder in UTF-8 noch in {encoding} kodiert. Geben Sie die Zeichenkodierung an.',
  'unreadable.notebook': '{name} ist kein Notebook: {reason}',
  'unreadable.notebook_empty': 'Es hat weder Zellen noch Arbeitsblätter',
  'unreadable.notebook_no_object': 'Es ist kein Objekt',
  'unreadable.notebook_not_json': 'Es ist kein JSON ({reason})',
  'unreadable.old_office':
    '{name} ist durch ein Passwort geschützt oder hat ein altes Office-Format; speichern Sie die Datei ohne Passwort im aktuellen Format',
  'unreadable.old_word':
    '{name} hat das alte Word-Format; speichern Sie die Datei als .docx und laden Sie diese hoch',
  'unreadable.password': '{name} ist durch ein Passwort geschützt; speichern Sie die Datei ohne Passwort',
  'unreadable.pdf': '{name} ist nicht lesbar',
  'unreadable.text_off_pages':
    '{name} zeigt keinen Text: Die Wörter liegen außerhalb der Seiten oder in Anmerkungen',
  'unreadable.too_large_unpacked': '{name} ist entpackt zu groß',
  'unreadable.too_many_entries': '{name} hat zu viele Einträge',
  'unreadable.too_many_pages': '{name} hat mehr als {max} Seiten',
  'unreadable.too_much_memory': '{name} zu lesen braucht zu viel Speicher',
  'unreadable.too_slow': '{name} zu lesen dauert länger als {seconds} s',
  'file_kind.epub': 'ein EPUB',
  'file_kind.excel': 'eine Excel-Arbeitsmappe',
  'file_kind.opendocument': 'eine OpenDocument-Datei',
  'file_kind.pdf': 'ein PDF',
  'file_kind.powerpoint': 'eine PowerPoint-Präsentation',
  'file_kind.rtf': 'ein RTF-Dokument',
  'file_kind.word': 'ein Word-Dokument',
  'file_kind.word_docx': 'ein Word-Dokument (.docx)',
} as const;
