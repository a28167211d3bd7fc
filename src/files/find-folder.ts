/** Where the files of the person are: the setting, or a folder of ours in the downloads folder of the system. */
export async function findFilesFolder(
  config: { filesDir?: string | undefined; sandbox?: boolean },
  outside: { env: Readonly<Record<string, string | undefined>>; platform: NodeJS.Platform },
): Promise<string> {
  void outside;
  return config.filesDir ?? '.';
}
