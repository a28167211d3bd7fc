/** Lines of text as a real PDF of one page after another. */

const LINES_A_PAGE = 48;
const FIRST_PAGE_OBJECT = 4;

/** Latin-1 alone: anything else becomes a question mark. The same lines are the same bytes. */
export function buildPdf(lines: readonly string[]): Buffer {
  const pages = Array.from({ length: Math.max(1, Math.ceil(lines.length / LINES_A_PAGE)) }, (_, page) =>
    lines.slice(page * LINES_A_PAGE, (page + 1) * LINES_A_PAGE),
  );
  const numberOf = (page: number): number => FIRST_PAGE_OBJECT + 2 * page;
  const kids = pages.map((_, page) => `${numberOf(page)} 0 R`).join(' ');
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((text, page) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${numberOf(page) + 1} 0 R >>`,
      stream(
        `BT /F1 10 Tf 14 TL 24 750 Td ${text.map((line) => `(${escapeText(line)}) Tj T*`).join('\n')} ET`,
      ),
    ]),
  ]);
}

const escapeText = (line: string): string =>
  line.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').replace(/[\\()]/g, (char) => `\\${char}`);

const stream = (content: string): string => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** @param objects in the order of their numbers, the first is the catalog. */
function assemble(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${entries}`;
  text += `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
