"""Pages of the rules about a project on disk (OPG6xx). `disk` knows the ids; what they say to people is here."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.rule import Rule

DISK_RULES: tuple[Rule, ...] = (
    Rule(
        "OPG601",
        Text("the lock cannot be used", "锁文件不可用"),
        Text(
            "`.opgen/lock.json` says which files opgen wrote and with which content. Without it an edit cannot be "
            "told from an old text, so opgen stops instead of guessing. After a merge conflict either side of the "
            "lock will do: `opgen generate` brings it up to date. When the lock is deleted, `opgen generate` takes "
            "over the files that are identical and refuses the others.",
            "`.opgen/lock.json` 记录 opgen 写过哪些文件及其内容哈希。缺少它就无法区分手工修改与旧版文本，因此 opgen "
            "选择停止而不是猜测。合并冲突时保留锁文件的任意一方即可，再执行 `opgen generate` 更新。删除锁文件后，"
            "`opgen generate` 会接管内容一致的文件，其余文件一律拒绝覆盖。",
        ),
        ".opgen/lock.json:\n<<<<<<< HEAD\n",
        "git checkout --ours .opgen/lock.json\nopgen generate\n",
    ),
    Rule(
        "OPG602",
        Text("a path leads out of the project", "路径超出工程目录"),
        Text(
            "Every file of a project lies inside its folder, under a name that Linux, macOS and Windows can hold. "
            "opgen replaces and removes what the plan and the lock name, so absolute paths, `..`, device names such "
            "as `CON`, op.yaml itself and the folders of git are never accepted there.",
            "工程的所有文件都位于工程目录内，且文件名在 Linux、macOS 与 Windows 上均合法。opgen 会替换或删除计划与锁"
            "文件所列的文件，因此其中不允许出现绝对路径、`..`、`CON` 等设备名、op.yaml 本身以及 git 的目录。",
        ),
        "extra: [../common/helpers.h]\n",
        "extra: [helpers.h]\n",
    ),
    Rule(
        "OPG603",
        Text("a symbolic link is in the way", "路径中存在符号链接"),
        Text(
            "A file that is reached through a link may lie outside the project. opgen follows no link below the "
            "project folder; the folder itself may be reached through links.",
            "经由符号链接到达的文件可能位于工程之外。opgen 不跟随工程目录以下的任何链接；工程目录本身可以经由链接到达"
            "。",
        ),
        "ln -s /srv/shared/ge add_custom/ge\n",
        "cp -r /srv/shared/ge add_custom/ge\n",
    ),
    Rule(
        "OPG604",
        Text("something else stands where a file belongs", "目标位置被其他类型的对象占用"),
        Text(
            "A folder stands where a file belongs, or a file where a folder belongs. opgen replaces files only, "
            "never folders, sockets or devices.",
            "应为文件的位置是目录，或应为目录的位置是文件。opgen 只替换普通文件，从不替换目录、套接字或设备。",
        ),
        "mkdir add_custom/run.sh\n",
        "rmdir add_custom/run.sh\nopgen generate add_custom\n",
    ),
    Rule(
        "OPG605",
        Text("two paths cannot stand side by side", "两个路径无法共存"),
        Text(
            "File systems of Windows and macOS ignore letter case, so two files that differ in case only overwrite "
            "each other there. A file cannot also be a folder.",
            "Windows 与 macOS 的文件系统不区分大小写，仅大小写不同的两个文件会互相覆盖。同一名称也不能既是文件又是目"
            "录。",
        ),
        "extra: [Helpers.h, helpers.h]\n",
        "extra: [helpers.h, more_helpers.h]\n",
    ),
    Rule(
        "OPG606",
        Text("a generated file was edited", "生成文件被手工修改"),
        Text(
            "The file is generated from op.yaml and somebody changed it. Writing it again would lose the edit, so "
            "nothing is written at all. Move the edit into op.yaml, or into a file of your own that `extra` or "
            "`kernel` names. Or run `opgen generate --merge`: the edit stays where it is, and what changed in op.yaml "
            "comes in beside it. Or run `opgen generate --force`: it keeps the edited text in `.opgen/backup/`. A "
            "merge needs the text that opgen wrote last, which lies in `.opgen/base/`.",
            "该文件由 op.yaml 生成，但已被手工修改。再次写入会丢失这些修改，因此本次不写入任何文件。请把修改移入 "
            "op.yaml，或移入由 `extra`、`kernel` 指定的自有文件；也可执行 `opgen generate --merge`，保留手工修改并合入 "
            "op.yaml 的变化；或执行 `opgen generate --force`，修改后的文本会保存在 `.opgen/backup/` 中。合并需要 opgen "
            "上次写入的文本，它保存在 `.opgen/base/` 中。",
        ),
        "sed -i 's/4096/8192/' add_custom/README.md\n",
        "dims: {N: 8192}\n",
    ),
    Rule(
        "OPG607",
        Text("a file is in the way that opgen did not write", "存在并非由 opgen 写入的同名文件"),
        Text(
            "opgen replaces only what it wrote. A file of the same name that was there before may be somebody's "
            "work. Move it away, or run `opgen generate --force`: it keeps the old text in `.opgen/backup/`.",
            "opgen 只替换自己写入的文件，先前已存在的同名文件可能是他人的成果。请将其移走，或执行 `opgen generate "
            "--force`，旧文本会保存在 `.opgen/backup/` 中。",
        ),
        "echo notes > add_custom/README.md\nopgen generate add_custom\n",
        "mv add_custom/README.md add_custom/notes.md\nopgen generate add_custom\n",
    ),
    Rule(
        "OPG608",
        Text("an earlier run was interrupted", "上一次写入被中断"),
        Text(
            "A run was killed while it replaced files, so some are old and some are new. Its journal says which. The "
            "next `opgen generate` or `opgen clean` puts the old files back before it does anything else, and leaves "
            "those that somebody edited since.",
            "某次执行在替换文件时被强制终止，文件可能新旧混杂，日志记录了具体情况。下一次 `opgen generate` 或 `opgen "
            "clean` 会先恢复旧文件再继续；其间被手工修改的文件保持不变。",
        ),
        "kill -9 PID_OF_OPGEN\n",
        "opgen generate add_custom\n",
    ),
    Rule(
        "OPG609",
        Text("a file that is no longer planned was edited", "已不在计划中的文件被手工修改"),
        Text(
            "The operator was renamed or its scenario changed, so this file is no longer generated. It would be "
            "removed, but somebody edited it. Left alone it may still be compiled. Delete it, or run `opgen generate "
            "--force`: it keeps the text in `.opgen/backup/`.",
            "算子改名或场景变更后，该文件不再生成，本应删除，但它已被手工修改。若置之不理，它仍可能参与编译。请手工删"
            "除，或执行 `opgen generate --force`，文本会保存在 `.opgen/backup/` 中。",
        ),
        "op: SubCustom   # was AddCustom; ge/add_custom.h was edited\n",
        "opgen generate --force\n",
    ),
    Rule(
        "OPG610",
        Text("a generated file is out of date", "生成文件已过期"),
        Text(
            "op.yaml or the templates of opgen changed since the file was written. `opgen generate` writes it again.",
            "文件写入之后，op.yaml 或 opgen 的模板发生了变化。执行 `opgen generate` 重新写入即可。",
        ),
        "dims: {N: 8192}   # was 4096, and nothing was generated since\n",
        "opgen generate\n",
    ),
    Rule(
        "OPG611",
        Text("a generated file is missing", "缺少生成文件"),
        Text(
            "The file belongs to the project and is not there. Generated files come back with `opgen generate`; "
            "files of your own that you deleted come back only with `--restore`.",
            "该文件属于工程却不存在。执行 `opgen generate` 可恢复生成文件；您删除的自有文件只有加上 `--restore` 才会"
            "恢复。",
        ),
        "rm add_custom/README_en.md\n",
        "opgen generate add_custom\n",
    ),
    Rule(
        "OPG612",
        Text("a file is no longer planned", "文件已不在计划中"),
        Text(
            "opgen wrote the file for an earlier op.yaml, and nobody changed it since. Left alone it may still be "
            "compiled. `opgen generate` removes it. Files that opgen did not write are never mentioned.",
            "该文件由 opgen 按旧版 op.yaml 写入，此后无人修改。若置之不理，它仍可能参与编译。执行 `opgen generate` 会"
            "将其删除。并非由 opgen 写入的文件从不提及。",
        ),
        "op: SubCustom   # was AddCustom\n",
        "opgen generate\n",
    ),
    Rule(
        "OPG613",
        Text("only the line endings differ", "仅换行符不同"),
        Text(
            "The file has CRLF line endings, usually because git converted it at checkout. A shell refuses a script "
            "with CRLF. Generated projects carry a .gitattributes that keeps LF; `opgen generate` restores LF.",
            "该文件使用 CRLF 换行，通常由 git 检出时的转换造成；shell 无法执行带 CRLF 的脚本。生成的工程带有保持 LF "
            "的 .gitattributes，执行 `opgen generate` 可恢复 LF。",
        ),
        "git -c core.autocrlf=true checkout .\n",
        "opgen generate\ngit add --renormalize .\n",
    ),
    Rule(
        "OPG614",
        Text("the executable bit is wrong", "可执行权限不正确"),
        Text(
            "Scripts are executable and nothing else is. `opgen generate` sets the bit right.",
            "只有脚本具有可执行权限，其他文件均没有。执行 `opgen generate` 可纠正权限。",
        ),
        "chmod -x add_custom/run.sh\n",
        "chmod +x add_custom/run.sh\n",
    ),
    Rule(
        "OPG615",
        Text("a generated file holds an open conflict", "生成文件中有未解决的冲突"),
        Text(
            "`opgen generate --merge`, or git, found lines that were edited by hand and changed by op.yaml, and wrote "
            "both between markers. No compiler takes them. Keep the right lines, remove the markers and run `opgen "
            "generate`. Where git left them, `opgen generate --force` writes the text that op.yaml stands for.",
            "`opgen generate --merge` 或 git 发现同一处既有手工修改又有 op.yaml 带来的变化，便把双方内容写在冲突标记之"
            "间，任何编译器都不会接受。请保留正确的行、删除标记，再执行 `opgen generate`。如果标记由 git 写入，执行 "
            "`opgen generate --force` 即可写入与 op.yaml 一致的文本。",
        ),
        "<<<<<<< edited by hand\nTILE = 512\n=======\nTILE = 2048\n>>>>>>> generated from op.yaml\n",
        "TILE = 2048\n",
    ),
    Rule(
        "OPG616",
        Text("a resolved conflict is not recorded", "已解决的冲突尚未登记"),
        Text(
            "A merge left a conflict in this file and somebody has resolved it since. `opgen generate` records the "
            "text, so that later edits can be told from it; the file stays as it is.",
            "合并在该文件中留下的冲突已被解决。执行 `opgen generate` 登记现在的文本，之后的修改才能与之区分；文件内容"
            "保持不变。",
        ),
        "opgen generate --merge; vi add_custom/run.sh\n",
        "opgen generate --merge; vi add_custom/run.sh; opgen generate\n",
    ),
)
