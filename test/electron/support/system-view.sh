#!/bin/sh
# system-view.sh FOLDER: a copy-on-write view of this system, for `unshare --user --map-root-user --mount`. Of each
# top-level folder that FOLDER/changed has, too, what is changed goes there. Prints "ready", and stays until its input ends.
set -eu
cd "$1"
mkdir root work
mount -t tmpfs -o mode=755 view root
for folder in /*; do
  if [ -L "$folder" ]; then
    cp -P "$folder" root
  elif [ -d "$folder" ]; then
    mkdir "root$folder"
    if [ -d "changed$folder" ]; then
      mkdir "work$folder"
      mount -t overlay view "root$folder" \
        -o "lowerdir=$folder,upperdir=$PWD/changed$folder,workdir=$PWD/work$folder,userxattr"
      # Made unreadable, and so not to be removed by the user.
      chmod 700 "work$folder/work"
    else
      mount --rbind "$folder" "root$folder"
    fi
  fi
done
# Not chroot: the kernel gives no user namespaces there, which Chromium's sandbox needs.
mkdir root/old
pivot_root root root/old
cd /
umount --lazy old
rmdir old
echo ready
cat
